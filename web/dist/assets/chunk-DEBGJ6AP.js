import{a,b}from"/assets/chunk-KNAJPXPI.js";import"/assets/chunk-DLHQG7EG.js";import"/assets/chunk-WDIJI5OG.js";import"/assets/chunk-MMFLCH6Z.js";export{b as default,a as nameOf};
