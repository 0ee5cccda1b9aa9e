import{a,b}from"/assets/chunk-BCH2K6PV.js";import"/assets/chunk-6NA67222.js";import"/assets/chunk-SC55YI4D.js";export{b as default,a as nameOf};
