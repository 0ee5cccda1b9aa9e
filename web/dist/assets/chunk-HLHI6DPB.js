import{a,b}from"/assets/chunk-PDPBUWYL.js";import"/assets/chunk-OAKR7MZA.js";import"/assets/chunk-7UN7LNZ6.js";export{b as default,a as nameOf};
