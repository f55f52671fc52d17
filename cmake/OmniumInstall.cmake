# cmake --install BUILD --component omnium --prefix /usr: the server as docs/operating.md has it.
#   lib/omnium/bin     the programs            lib/omnium/sports   sport packages, CODE/VERSION/plugin.so
#   share/omnium       the desk and what an operator copies        share/doc/omnium   operating.md and the runbooks
# and bin/omnium, a link to the first. The programs find the rest beside them, so the tree may lie anywhere.
install(TARGETS omnium omnium-sport-worker RUNTIME DESTINATION lib/omnium/bin COMPONENT omnium)
if(TARGET omnium-bench)
  install(TARGETS omnium-bench RUNTIME DESTINATION lib/omnium/bin COMPONENT omnium OPTIONAL)
endif()
install(DIRECTORY ${CMAKE_BINARY_DIR}/sports/ DESTINATION lib/omnium/sports COMPONENT omnium
  FILES_MATCHING PATTERN plugin.so
  PATTERN CMakeFiles EXCLUDE PATTERN corpus EXCLUDE PATTERN sdk EXCLUDE PATTERN worker EXCLUDE)
install(DIRECTORY DESTINATION share/omnium/desk COMPONENT omnium) # there also without a desk: settings name it
install(DIRECTORY desk/app/dist/ DESTINATION share/omnium/desk COMPONENT omnium OPTIONAL)
install(DIRECTORY configs/ DESTINATION share/omnium/configs COMPONENT omnium)
install(FILES configs/systemd/omnium.service DESTINATION lib/systemd/system COMPONENT omnium)
install(FILES docs/operating.md DESTINATION share/doc/omnium COMPONENT omnium)
install(DIRECTORY docs/runbooks DESTINATION share/doc/omnium COMPONENT omnium)
install(CODE "
  file(MAKE_DIRECTORY \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin\")
  file(CREATE_LINK ../lib/omnium/bin/omnium \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/bin/omnium\" SYMBOLIC)
" COMPONENT omnium)
