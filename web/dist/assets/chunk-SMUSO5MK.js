import{a,b}from"/assets/chunk-ENVILQAR.js";import"/assets/chunk-LT546XBE.js";import"/assets/chunk-5MTPPA5V.js";export{b as default,a as nameOf};
