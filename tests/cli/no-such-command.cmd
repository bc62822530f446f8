"$JCCSAFE" frobnicate >/dev/null 2>&1
