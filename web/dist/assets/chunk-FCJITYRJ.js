import{a,b,c}from"/assets/chunk-7QYVJ7WT.js";import"/assets/chunk-75FVUC6O.js";import"/assets/chunk-MMFLCH6Z.js";export{c as default,b as earned,a as grossOf};
