import{a,b}from"/assets/chunk-36EH5NBD.js";import"/assets/chunk-75FVUC6O.js";import"/assets/chunk-MMFLCH6Z.js";export{b as default,a as nameOf};
