import{a,b}from"/assets/chunk-7PY57SU3.js";import"/assets/chunk-VIKS655N.js";import"/assets/chunk-TQ7VQV2A.js";import"/assets/chunk-I3DHU63S.js";export{b as default,a as nameOf};
