"$JCCSAFE" check
