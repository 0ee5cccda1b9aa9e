import{a,b}from"/assets/chunk-QQQSWKKU.js";import"/assets/chunk-T622VM7N.js";import"/assets/chunk-NCMPPXTN.js";export{b as default,a as nameOf};
