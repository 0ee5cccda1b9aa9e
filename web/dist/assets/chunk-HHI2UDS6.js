import{a,b,c}from"/assets/chunk-GRGIPEP2.js";import"/assets/chunk-2GACBKCE.js";import"/assets/chunk-MMFLCH6Z.js";export{c as default,b as earned,a as grossOf};
