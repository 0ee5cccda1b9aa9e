import{a,b}from"/assets/chunk-LBELBCKR.js";import"/assets/chunk-FQ6WWRD3.js";import"/assets/chunk-ZMQ7SMPH.js";import"/assets/chunk-NHD4K2SR.js";export{b as default,a as leave};
