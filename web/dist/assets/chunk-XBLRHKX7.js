import{a,b,c}from"/assets/chunk-KPCWKER7.js";import"/assets/chunk-K27YLUJ5.js";import"/assets/chunk-NCMPPXTN.js";export{c as default,b as earned,a as grossOf};
