import{a,b,c}from"/assets/chunk-Z2LVLCDA.js";import"/assets/chunk-GHJAFRQH.js";import"/assets/chunk-C2IN2VVA.js";export{c as default,b as earned,a as grossOf};
