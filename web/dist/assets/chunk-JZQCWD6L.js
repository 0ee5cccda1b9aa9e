import{a,b}from"/assets/chunk-5HRKWFFZ.js";import"/assets/chunk-NXN647SG.js";import"/assets/chunk-P75OMJZA.js";export{b as default,a as nameOf};
