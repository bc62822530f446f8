"$JCCSAFE" --help
"$JCCSAFE" -h | head -n 1
"$JCCSAFE" help | head -n 1
