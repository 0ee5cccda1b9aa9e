import{a,b,c}from"/assets/chunk-AZHBNXB3.js";import"/assets/chunk-KYYKVMR5.js";import"/assets/chunk-MMFLCH6Z.js";export{c as default,b as earned,a as grossOf};
