import{a,b}from"/assets/chunk-32U45XQV.js";import"/assets/chunk-K27YLUJ5.js";import"/assets/chunk-NCMPPXTN.js";export{b as default,a as nameOf};
