import{b as a,c as b}from"/assets/chunk-F2UV2O7G.js";import"/assets/chunk-L5CI7SHM.js";import"/assets/chunk-HG475FZH.js";import"/assets/chunk-VLH5YQ34.js";export{b as Status,a as default};
