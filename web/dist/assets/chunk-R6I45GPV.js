import{a,b}from"/assets/chunk-D2VESTSS.js";import"/assets/chunk-DWFY43A7.js";import"/assets/chunk-IIM2FF54.js";export{b as default,a as nameOf};
