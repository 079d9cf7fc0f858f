#!/bin/sh
# Moves into the root of a machine, in namespaces of mounts and processes of its own, and runs /out/script.sh there with the
# environment that is named. Called by enter.ts.
set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount -o remount,ro,bind "$ROOT"
mount -t proc proc "$ROOT/proc"
mount --rbind /dev "$ROOT/dev"
mount -t tmpfs -o size=200m,mode=1777 tmpfs "$ROOT/tmp"
mount -t tmpfs tmpfs "$ROOT/run"
mount --bind "$NODE" "$ROOT/opt/node"
mount --bind "$PROJECTS" "$ROOT/srv"
[ -z "$FIXED" ] || mount -o remount,ro,bind "$ROOT/srv"
mount --bind "$OUT" "$ROOT/out"
[ -z "$HOME_DISK" ] || mount -t tmpfs -o mode=755,uid="$ID",gid="$ID" tmpfs "$ROOT$HOME_DISK"
for file in /etc/resolv.conf /etc/hosts; do
  [ ! -e "$file" ] || mount --bind "$file" "$ROOT$file"
done
as=
[ "$ID" = 0 ] || as="--reuid=$ID --regid=$ID --clear-groups"
cd "$ROOT"
if [ -z "$NAMESPACES" ]; then
  # Whoever has another root in name only may make no user namespaces.
  # shellcheck disable=SC2086
  exec chroot . setpriv $as env -i "$@" sh /out/script.sh
fi
mkdir run/old
pivot_root . run/old
cd /
umount -l /run/old
# shellcheck disable=SC2086
exec setpriv $as env -i "$@" sh /out/script.sh
