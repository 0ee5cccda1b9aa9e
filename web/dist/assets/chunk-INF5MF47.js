import{a,b}from"/assets/chunk-SIU25RQV.js";import"/assets/chunk-2GACBKCE.js";import"/assets/chunk-MMFLCH6Z.js";export{b as default,a as nameOf};
