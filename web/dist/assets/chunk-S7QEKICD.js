import{a,b,c}from"/assets/chunk-6QDOCP74.js";import"/assets/chunk-JBJAKFEL.js";import"/assets/chunk-GNJZMK5Q.js";export{c as default,b as earned,a as grossOf};
