import{a,b}from"/assets/chunk-Y5IGGKC2.js";import"/assets/chunk-BNECTE5P.js";import"/assets/chunk-OYPZYNWC.js";export{b as default,a as nameOf};
