-- Who approved a release (ops.install_release). Null: it was taken from the disk by a first match, and nobody approved it.
ALTER TABLE plugin_release ADD COLUMN approved_by text;
