#!/bin/sh
# Adds the user of the service. An upgrade restarts a running service; a first installation starts nothing.
set -e
if ! getent passwd punchcard >/dev/null; then
    if command -v systemd-sysusers >/dev/null; then
        systemd-sysusers punchcard.conf
    else
        useradd --system --home-dir /var/lib/punchcard --shell /usr/sbin/nologin --user-group punchcard
    fi
fi
chown root:punchcard /etc/punchcard/punchcard.env
chmod 0640 /etc/punchcard/punchcard.env
if [ -d /run/systemd/system ]; then
    systemctl daemon-reload
    systemctl try-restart punchcard.service
fi
