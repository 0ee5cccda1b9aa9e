#!/bin/sh
# Stops the service when the package is removed, not when it is upgraded. The data stays.
set -e
case "$1" in
remove | 0)
    if [ -d /run/systemd/system ]; then
        systemctl disable --now punchcard.socket punchcard.service
    fi
    ;;
esac
