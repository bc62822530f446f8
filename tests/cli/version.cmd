# The numbers change with every machine and release; the names do not.
"$JCCSAFE" --version | sed 's/[0-9][0-9.]*/N/g' | head -n 1
