import{a,b,c}from"/assets/chunk-P26OLLBZ.js";import"/assets/chunk-KUE3QB3K.js";import"/assets/chunk-DFWNUWBQ.js";export{c as default,b as earned,a as grossOf};
