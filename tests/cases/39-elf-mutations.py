#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Make damaged / unusual ELF inputs for a checker: usage 39-elf-mutations.py GOOD.o OUTDIR (GOOD = any x86-64 ELF)."""
import sys,struct,os,subprocess
src,out=sys.argv[1],sys.argv[2]; os.makedirs(out,exist_ok=True)
b=open(src,'rb').read()
def w(n,d): open(os.path.join(out,n),'wb').write(bytes(d))
def put(d,off,fmt,v): d=bytearray(d); struct.pack_into(fmt,d,off,v); return d
shoff=struct.unpack_from('<Q',b,40)[0]; shentsize,shnum,shstrndx=struct.unpack_from('<HHH',b,58)
def sh(i): return shoff+i*shentsize
text=[i for i in range(shnum) if struct.unpack_from('<I',b,sh(i)+4)[0]==1 and struct.unpack_from('<Q',b,sh(i)+8)[0]&4][0]
w('ok.o',b); w('empty',b''); w('magic-only',b[:4]); w('hdr-only',b[:64]); w('trunc-half',b[:len(b)//2]); w('trunc-1',b[:-1])
w('shoff-eof',put(b,40,'<Q',len(b)+4096)); w('shoff-max',put(b,40,'<Q',2**64-1)); w('shoff-odd',put(b,40,'<Q',shoff+1))
w('shentsize0',put(b,58,'<H',0)); w('shentsize8',put(b,58,'<H',8)); w('shnum-ffff',put(b,60,'<H',0xffff)); w('shnum0',put(b,60,'<H',0))
w('shnum0-ext',put(put(b,60,'<H',0),sh(0)+32,'<Q',shnum)); w('shnum0-ext-huge',put(put(b,60,'<H',0),sh(0)+32,'<Q',2**62))
w('shstrndx-oob',put(b,62,'<H',0x7fff)); w('shstrndx-xindex',put(put(b,62,'<H',0xffff),sh(0)+40,'<I',shstrndx))
w('noshdr',put(put(put(b,40,'<Q',0),60,'<H',0),62,'<H',0))
t=sh(text)
w('text-off-eof',put(b,t+24,'<Q',len(b)-1)); w('text-off-wrap',put(b,t+24,'<Q',2**64-8)); w('text-size-huge',put(b,t+32,'<Q',2**63)); w('text-size0',put(b,t+32,'<Q',0))
w('text-nobits',put(b,t+4,'<I',8)); w('text-name-oob',put(b,t+0,'<I',0x7fffffff)); w('text-align3',put(b,t+48,'<Q',3)); w('text-align-huge',put(b,t+48,'<Q',2**63)); w('text-compressed',put(b,t+8,'<Q',struct.unpack_from('<Q',b,t+8)[0]|0x800))
w('be',put(b,5,'B',2)); w('class32',put(b,4,'B',1)); w('class3',put(b,4,'B',3)); w('machine-arm64',put(b,18,'<H',183)); w('machine-i386',put(b,18,'<H',3)); w('type-core',put(b,16,'<H',4))
sym=[i for i in range(shnum) if struct.unpack_from('<I',b,sh(i)+4)[0]==2]
if sym:
    s=sh(sym[0]); w('symtab-entsize5',put(b,s+56,'<Q',5)); w('symtab-link-oob',put(b,s+40,'<I',999)); w('symtab-size-odd',put(b,s+32,'<Q',struct.unpack_from('<Q',b,s+32)[0]-1))
def ar(members,magic=b'!<arch>\n'):
    d=bytearray(magic)
    for n,body,sz in members: d+=('%-16s%-12s%-6s%-6s%-8s%-10s`\n'%(n,'0','0','0','644',sz)).encode()+body+(b'\n' if len(body)%2 else b'')
    return d
w('two.a',ar([('a.o/',b,len(b)),('b.o/',b,len(b))])); w('nested.a',ar([('in.a/',bytes(ar([('a.o/',b,len(b))])),len(ar([('a.o/',b,len(b))])))])); w('badsize.a',ar([('a.o/',b,99999999)])); w('textmember.a',ar([('readme/',b'hello\n',6),('a.o/',b,len(b))])); w('junksize.a',ar([('a.o/',b,'xyz')])); w('emptyarch.a',b'!<arch>\n'); w('thin-missing.a',ar([('/no/such.o/',b'',12)],b'!<thin>\n'))
print(len(os.listdir(out)),'files')
