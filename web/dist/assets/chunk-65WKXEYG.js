import{a,b,c}from"/assets/chunk-6WDCW2IJ.js";import"/assets/chunk-6NA67222.js";import"/assets/chunk-SC55YI4D.js";export{c as default,b as earned,a as grossOf};
