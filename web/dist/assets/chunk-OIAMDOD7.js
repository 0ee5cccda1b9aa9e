import{a,b}from"/assets/chunk-SDO67K67.js";import"/assets/chunk-5RKMCJRU.js";import"/assets/chunk-FFG36N2F.js";export{b as default,a as nameOf};
