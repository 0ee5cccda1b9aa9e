import{a,b}from"/assets/chunk-PZWKLUCE.js";import"/assets/chunk-CHPY72VR.js";import"/assets/chunk-ETPM7QWQ.js";import"/assets/chunk-BPNJHFPP.js";export{b as default,a as nameOf};
