import{a,b,c}from"/assets/chunk-GVR2WDTG.js";import"/assets/chunk-DLHQG7EG.js";import"/assets/chunk-WDIJI5OG.js";import"/assets/chunk-MMFLCH6Z.js";export{c as default,b as earned,a as grossOf};
