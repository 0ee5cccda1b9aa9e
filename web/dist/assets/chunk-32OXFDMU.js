import{a,b}from"/assets/chunk-VGVWPUBH.js";import"/assets/chunk-JBJAKFEL.js";import"/assets/chunk-GNJZMK5Q.js";export{b as default,a as nameOf};
