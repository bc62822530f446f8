as -o t.o "$CASES/affected.s"
esc=$(printf '\033')
show() { sed "s/$esc\[/ESC[/g"; }
"$JCCSAFE" check --color=always t.o missing 2>&1 | sed -n '1p;$p' | show
NO_COLOR=1 "$JCCSAFE" check --color=always --summary t.o | show
"$JCCSAFE" check --color=auto --summary t.o | show
"$JCCSAFE" check --color=never --summary t.o | show
"$JCCSAFE" check --summary --color always t.o missing 2>&1 >/dev/null | show
