import{a,b}from"/assets/chunk-QJGVLWPE.js";import"/assets/chunk-VZ2UW5TQ.js";import"/assets/chunk-RSVWZNB5.js";import"/assets/chunk-JJE5EFRB.js";export{b as default,a as nameOf};
