import{a,b}from"/assets/chunk-XKJNYK3V.js";import"/assets/chunk-RAWDBIX5.js";import"/assets/chunk-ZD6Y6FJX.js";export{b as default,a as nameOf};
