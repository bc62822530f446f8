"$JCCSAFE" --version | sed 's/ .*//'
