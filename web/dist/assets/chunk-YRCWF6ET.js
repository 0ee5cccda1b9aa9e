import{a,b,c}from"/assets/chunk-25O3ZSEF.js";import"/assets/chunk-WATTQRYW.js";import"/assets/chunk-WDIJI5OG.js";import"/assets/chunk-MMFLCH6Z.js";export{c as default,b as earned,a as grossOf};
