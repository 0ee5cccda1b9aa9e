import{a,b,c}from"/assets/chunk-TUQD7ZMM.js";import"/assets/chunk-NXN647SG.js";import"/assets/chunk-P75OMJZA.js";export{c as default,b as earned,a as grossOf};
