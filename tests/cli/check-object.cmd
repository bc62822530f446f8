# Each kind where it ends on a boundary or crosses one; affected.s says where.
as -o t.o "$CASES/affected.s"
"$JCCSAFE" check t.o
