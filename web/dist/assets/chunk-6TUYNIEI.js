import{a,b}from"/assets/chunk-P6D5NUIL.js";import"/assets/chunk-RKPLLPXJ.js";import"/assets/chunk-RTIWG5M4.js";export{b as default,a as nameOf};
