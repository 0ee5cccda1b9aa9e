import{a,b}from"/assets/chunk-XNM65ILP.js";import"/assets/chunk-WATTQRYW.js";import"/assets/chunk-WDIJI5OG.js";import"/assets/chunk-MMFLCH6Z.js";export{b as default,a as nameOf};
