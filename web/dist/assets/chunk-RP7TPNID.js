import{a,b,c}from"/assets/chunk-OHCB4JCV.js";import"/assets/chunk-DWFY43A7.js";import"/assets/chunk-IIM2FF54.js";export{c as default,b as earned,a as grossOf};
