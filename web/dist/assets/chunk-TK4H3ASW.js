import{$ as r,C as e,G as t}from"/assets/chunk-Z5KS3FNS.js";function o(){return t(r,{title:e("signIn.me"),children:t("span",{})})}export{o as default};
