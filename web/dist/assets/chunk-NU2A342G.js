import{a,b}from"/assets/chunk-EDWLS7I7.js";import"/assets/chunk-VGRUJYQA.js";import"/assets/chunk-27CHNEXZ.js";import"/assets/chunk-EJO7WJ33.js";export{b as default,a as nameOf};
