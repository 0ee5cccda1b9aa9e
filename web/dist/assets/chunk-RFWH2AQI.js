import{a,b}from"/assets/chunk-UJUAXCAH.js";import"/assets/chunk-GHJAFRQH.js";import"/assets/chunk-C2IN2VVA.js";export{b as default,a as nameOf};
