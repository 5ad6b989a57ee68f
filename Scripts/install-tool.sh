#!/bin/sh
# Usage: install-tool.sh TOOL PREFIX: installs the tool, its man page and its completions.
set -eu
tool=$1
prefix=$2

install -d "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
  "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
# Removed first: a running tool cannot be written over.
rm -f "$prefix/bin/wellspring"
install -m 755 "$tool" "$prefix/bin/wellspring"
# Without the symbols, a third of its size is gone.
if command -v strip >/dev/null; then strip "$prefix/bin/wellspring"; fi
"$tool" manual > "$prefix/share/man/man1/wellspring.1"
"$tool" completions bash > "$prefix/share/bash-completion/completions/wellspring"
"$tool" completions zsh > "$prefix/share/zsh/site-functions/_wellspring"
"$tool" completions fish > "$prefix/share/fish/vendor_completions.d/wellspring.fish"
echo "Installed $prefix/bin/wellspring with its man page and completions."
