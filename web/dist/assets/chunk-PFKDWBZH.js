import{a,b}from"/assets/chunk-NIFOSOWK.js";import"/assets/chunk-NMQ5TROM.js";import"/assets/chunk-RS5QAZJV.js";import"/assets/chunk-EY3XLVWS.js";export{b as default,a as leave};
