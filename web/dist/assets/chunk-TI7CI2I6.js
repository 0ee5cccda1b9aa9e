import{a,b}from"/assets/chunk-IW7KT4K2.js";import"/assets/chunk-AFM2CGYL.js";import"/assets/chunk-Y3VBKVHC.js";import"/assets/chunk-RYCC6Z2V.js";export{b as default,a as nameOf};
