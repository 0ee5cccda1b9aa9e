import{a,b}from"/assets/chunk-K6VF7XXR.js";import"/assets/chunk-KUE3QB3K.js";import"/assets/chunk-DFWNUWBQ.js";export{b as default,a as nameOf};
