import{a,b}from"/assets/chunk-OSF47PVK.js";import"/assets/chunk-RVHQMVRL.js";import"/assets/chunk-J2PSJEGQ.js";import"/assets/chunk-T5NBHM2T.js";export{b as default,a as nameOf};
