import{a,b,c}from"/assets/chunk-TDZOUCU4.js";import"/assets/chunk-RAWDBIX5.js";import"/assets/chunk-ZD6Y6FJX.js";export{c as default,b as earned,a as grossOf};
