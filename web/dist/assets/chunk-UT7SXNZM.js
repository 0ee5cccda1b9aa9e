import{a,b}from"/assets/chunk-HCQ2VWZY.js";import"/assets/chunk-IWQ7PC7H.js";import"/assets/chunk-J2PSJEGQ.js";import"/assets/chunk-T5NBHM2T.js";export{b as default,a as nameOf};
