# cpack --config BUILD/CPackConfig.cmake: a Debian package of what `cmake --install --component omnium` installs, with a
# settings file of its own in /etc/omnium (a conffile: an upgrade keeps what an operator changed), and the service's user.
# What it depends on is what its programs link, looked up by dpkg-shlibdeps.

# The settings of a service: its data and the desk lie where the package puts them.
file(READ ${CMAKE_SOURCE_DIR}/configs/omnium.toml settings)
string(REPLACE "\ndir = \".omnium\"\n" "\ndir = \"/var/lib/omnium\"\n" settings "${settings}")
string(REPLACE "\nstatic_dir = \"\"\n" "\nstatic_dir = \"/usr/share/omnium/desk\"\n" settings "${settings}")
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/package/omnium.toml CONTENT "${settings}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/configs/omnium.toml)
install(FILES ${CMAKE_BINARY_DIR}/package/omnium.toml DESTINATION /etc/omnium COMPONENT package)

# What is packed was built before (docs/operating.md): not everything, tests and all.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME omnium)
set(CPACK_PACKAGE_VENDOR Omnium)
set(CPACK_PACKAGE_CONTACT "The Omnium maintainers <root@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "event processing for live sport")
set(CPACK_PACKAGE_DESCRIPTION "Takes what scorers see, decides it by the rules of the sport, saves it before it says so,
and shows it to every screen. With the rules of eight sports and a desk for the browser.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION net)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS adduser)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "postgresql (>= 15)") # the embedded cluster's programs; none with an external one
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA
  ${CMAKE_SOURCE_DIR}/cmake/deb/postinst ${CMAKE_SOURCE_DIR}/cmake/deb/prerm ${CMAKE_SOURCE_DIR}/cmake/deb/postrm
  ${CMAKE_SOURCE_DIR}/cmake/deb/conffiles)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL omnium package)
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
# Not stripped: a release of a sport is known by the hash of its package, which must be that of `cmake --install`.
set(CPACK_STRIP_FILES OFF)
include(CPack)
